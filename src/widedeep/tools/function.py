"""How a typed Python function becomes a tool."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast, get_args, get_origin, overload

from widedeep.costs import FREE, Cost
from widedeep.errors import UsageError
from widedeep.messages import Json, ToolOutput
from widedeep.seams import Context, ToolSpec
from widedeep.tools import workers

if TYPE_CHECKING:
    from pydantic import BaseModel

_canonical = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str).encode

KeyOf = Callable[[Mapping[str, Any]], str | None]


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A `Tool` made from a function; see `tool`."""

    spec: ToolSpec
    function: Callable[..., Any]
    arguments: type[BaseModel]
    renamed: Mapping[str, str]
    context: str | None
    effects: Literal["read", "write"]
    order: Literal["any", "serial"]
    deadline: float
    limit: int | None
    run_in: Literal["loop", "thread", "process"]
    key_of: KeyOf | None
    bound: Cost

    @property
    def endable(self) -> bool:
        """Whether a call really ends at its deadline: one in a thread does not."""
        return self.run_in != "thread"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function itself, as if it were not decorated."""
        return self.function(*args, **kwargs)

    def validate(self, arguments: Json) -> Mapping[str, Any]:
        """Return the arguments with their defaults, or raise ValueError with what is wrong."""
        try:
            model = self.arguments.model_validate(dict(arguments))
        except ValueError as error:
            raise ValueError(_what_is_wrong(error)) from None
        values = model.__dict__
        if not self.renamed:
            return dict(values)
        return {self.renamed.get(name, name): value for name, value in values.items()}

    def key(self, arguments: Json) -> str | None:
        """Return the canonical JSON of the arguments, unless the tool has a key of its own."""
        if self.key_of is not None:
            return self.key_of(arguments)
        return _canonical(arguments)

    async def call(self, arguments: Mapping[str, Any], context: Context) -> ToolOutput:
        """Call the function; a plain value becomes the text of the output."""
        inputs = dict(arguments)
        if self.context is not None:
            inputs[self.context] = context
        if self.run_in == "loop":
            value = await self.function(**inputs)
        elif self.run_in == "thread":
            value = await workers.in_thread(self.function, inputs)
        else:
            value = await workers.in_process(self.function, inputs)
        if inspect.isawaitable(value):
            value = await value
        return value if isinstance(value, ToolOutput) else ToolOutput(text=_text(value))


@overload
def tool(function: Callable[..., Any], /) -> FunctionTool: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    effects: Literal["read", "write"] = "read",
    order: Literal["any", "serial"] = "any",
    deadline: float = 60.0,
    limit: int | None = None,
    process: bool = False,
    key: KeyOf | None = None,
    bound: Cost = FREE,
) -> Callable[[Callable[..., Any]], FunctionTool]: ...


def tool(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make a tool of a typed function; its docstring is what the model is told.

    Parameters take their description from `Annotated[str, "what it is"]`; one annotated `Context`
    is filled in. An async function runs on the event loop, a sync one in a daemon thread, or with
    `process=True` (a function at the top of a module) in a process that is killed at the deadline.

    Args:
        function: the function, when the decorator stands without parentheses.
        **options: `name`; `description`, instead of the docstring; `effects` ("read" or "write":
            a write is never repeated or reused); `order` ("serial": the calls of a batch run one
            after another); `deadline` in seconds; `limit`, how many calls may run at once;
            `process`; `key`, what makes calls equal; `bound`, the `Cost` of a call at worst.

    Raises:
        UsageError: the function has no docstring, or a parameter no annotation.
    """
    if function is not None:
        return _make(function)
    return partial(_make, **options)


def _make(
    function: Callable[..., Any],
    *,
    name: str | None = None,
    description: str | None = None,
    effects: Literal["read", "write"] = "read",
    order: Literal["any", "serial"] = "any",
    deadline: float = 60.0,
    limit: int | None = None,
    process: bool = False,
    key: KeyOf | None = None,
    bound: Cost = FREE,
) -> FunctionTool:
    named = name or str(getattr(function, "__name__", type(function).__name__))
    description = description or inspect.getdoc(function)
    if not description:
        raise UsageError(f"the tool {named!r} has no docstring: say in one what it does")
    _check(named, effects=effects, order=order, deadline=deadline, limit=limit, key=key)
    model, renamed, context = _arguments(named, function)
    schema = {k: v for k, v in model.model_json_schema().items() if k != "title"}
    called = getattr(function, "__call__", function)  # noqa: B004 - of an object, its method
    in_loop = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)
    if inspect.isasyncgenfunction(function) or inspect.isgeneratorfunction(function):
        raise UsageError(f"the tool {named!r} yields: return the whole text or a ToolOutput")
    if in_loop and process:
        raise UsageError(f"the tool {named!r} is async: process=True takes a sync function")
    if process:
        workers.address(function)
    return FunctionTool(
        spec=ToolSpec(named, description, schema),
        function=function,
        arguments=model,
        renamed=renamed,
        context=context,
        effects=effects,
        order=order,
        deadline=deadline,
        limit=limit,
        run_in="loop" if in_loop else "process" if process else "thread",
        key_of=key,
        bound=bound,
    )


def _check(name: str, **options: Any) -> None:
    """See that the options of a tool are what they can be; a slip must not pass as a default."""
    limit, key = options["limit"], options["key"]
    wrong = [
        (options["effects"] not in ("read", "write"), "effects", '"read" or "write"'),
        (options["order"] not in ("any", "serial"), "order", '"any" or "serial"'),
        (not _over_zero(options["deadline"]), "deadline", "seconds over 0"),
        (
            limit is not None and (type(limit) is not int or limit < 1),
            "limit",
            "1 or more, or None",
        ),
        (key is not None and not callable(key), "key", "a function of the arguments"),
    ]
    for is_wrong, option, right in wrong:
        if is_wrong:
            raise UsageError(f"the tool {name!r} has {option}={options[option]!r}: it is {right}")
    if not name.isidentifier() or not name.isascii():
        raise UsageError(f"the tool {name!r} needs a name of letters, digits and _: pass name=")


def _over_zero(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0


def _arguments(
    name: str, function: Callable[..., Any]
) -> tuple[type[BaseModel], dict[str, str], str | None]:
    """Return a pydantic model of the parameters, and which one is the context.

    Between them: by the names of fields, the parameters that could not give a field their own.
    """
    from pydantic import ConfigDict, Field, PydanticUserError, create_model

    fields: dict[str, Any] = {}
    renamed: dict[str, str] = {}
    context: str | None = None
    parameters = inspect.signature(function, eval_str=True).parameters
    for parameter in parameters.values():
        annotation = parameter.annotation
        if parameter.kind in (
            parameter.POSITIONAL_ONLY,
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            raise UsageError(
                f"the tool {name!r} takes {parameter}: a model needs named parameters, each typed"
            )
        if annotation is inspect.Parameter.empty:
            raise UsageError(
                f"the parameter {parameter.name!r} of the tool {name!r} has no type: "
                f"write {parameter.name}: str, or what it is"
            )
        if annotation is Context:
            context = parameter.name
            continue
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        kind = _described(annotation)
        field = _field(parameter.name, parameters)
        if field != parameter.name:
            renamed[field] = parameter.name
            kind = Annotated[kind, Field(alias=parameter.name)]
        fields[field] = (kind, default)
    try:
        model = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
    except (NameError, TypeError, PydanticUserError) as error:
        raise UsageError(f"the tool {name!r} has a parameter that cannot be: {error}") from None
    return model, renamed, context


def _field(parameter: str, taken: Collection[str]) -> str:
    """Return a parameter's name, or another one where pydantic's models mean something by it."""
    from pydantic import BaseModel

    field = parameter
    while (
        field.startswith("_")
        or hasattr(BaseModel, field)
        or (field != parameter and field in taken)
    ):
        field = f"own{field}"
    return field


def _described(annotation: Any) -> Any:
    """Return the annotation with a plain string in Annotated turned into a description."""
    from pydantic import Field

    if get_origin(annotation) is not Annotated:
        return annotation
    kind, *notes = get_args(annotation)
    notes = [Field(description=note) if isinstance(note, str) else note for note in notes]
    return Annotated[kind, *notes]


def _what_is_wrong(error: Any) -> str:
    parts: list[str] = []
    for item in cast("list[dict[str, Any]]", error.errors(include_url=False)):
        place = ".".join(str(step) for step in item["loc"])
        parts.append(f"{place}: {item['msg']}")
    return "; ".join(parts)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    return json.dumps(value, ensure_ascii=False, default=str)
