"""Which commands are there? Each is imported only when it is used."""

from __future__ import annotations

from cyclopts import App, ArgumentCollection

from widedeep import __version__

DASH = "-"
"""The question that stands for what is on stdin."""

MARK = "\0dash"
"""Stands for `DASH` while the command line is parsed, where `-` begins an option."""

_ASK = (
    "Research a question.\n\n"
    "The answer goes to stdout, progress to stderr. Ctrl-C once asks for the answer now, twice "
    "ends the run. Exit status: 0 answered, 1 failed, 2 wrong usage, 3 partial, 4 no evidence, "
    "130 interrupted."
)
_RESUME = (
    "Go on with a run that was cut off or interrupted.\n\n"
    "What is on record is not asked or called again; what was under way is charged and, where it "
    "only reads, made again. A finished run prints its answer."
)
_EXPORT = "Write one run as JSON Lines, every text of it included."
_DELETE = (
    "Delete runs for good, with the texts that no other run has.\n\n"
    "A run that goes on in another process is not deleted. Exit status: 0 deleted, 1 one goes on "
    "or you said no, 2 wrong usage."
)
_REPLAY = (
    "Run the loop over a recorded run again, without asking anybody.\n\n"
    "It must come to the same transcript (exit status 1 if not). With other terms it tells what "
    "the recorded calls would have taken."
)
_EVAL = (
    "Ask many questions with known answers and grade what comes.\n\n"
    "Results are kept as they come: the same command goes on where it was stopped."
)
_SYNTH = "Make questions with gold answers from a corpus, for `eval`."
_MODELS = (
    "List the kinds of models, their keys, prices and contexts.\n\n"
    "With the name of a server it is asked which models it serves."
)
_PROBE = (
    "Find out what a model at a server can do, and write it into the settings.\n\n"
    "It is asked for 1, 3 and 8 calls, streamed and not, as tool calls and by a schema. The search "
    "that it calls is canned; nothing else is asked. Exit status: 0 a width can be kept, 1 none "
    "can, or no request was taken, 2 wrong usage."
)
_HELP = "Research a question wide and deep: many tool calls at once, over many turns, cited."


def _typed(_: App, __: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Give every argument that is a plain `-` its value as it was typed."""
    for argument in arguments:
        for at, token in enumerate(argument.tokens):
            if token.value == MARK:
                argument.tokens[at] = token.evolve(value=DASH)  # pyright: ignore[reportUnknownMemberType]


def _make() -> App:
    root = App(
        name="widedeep",
        help=_HELP,
        version=f"widedeep {__version__}",
        help_format="plaintext",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
        config=_typed,
    )
    root.command("widedeep.cli.ask:ask", name="ask", help=_ASK)
    root.command("widedeep.cli.index:index", name="index", help="Build an index of a corpus.")
    root.command("widedeep.cli.search:search", name="search", help="Search an index or a corpus.")
    root.command("widedeep.cli.eval:evaluate", name="eval", help=_EVAL)
    root.command("widedeep.cli.synth:synth", name="synth", help=_SYNTH)
    runs = App(name="runs", help="Look at the runs in the store.")
    runs.command("widedeep.cli.runs:list_runs", name="list", help="List the runs, newest first.")
    runs.command("widedeep.cli.runs:show_run", name="show", help="Show one run, turn by turn.")
    runs.command("widedeep.cli.replay:replay_run", name="replay", help=_REPLAY)
    runs.command("widedeep.cli.resume:resume_run", name="resume", help=_RESUME)
    runs.command("widedeep.cli.keeping:export_run", name="export", help=_EXPORT)
    runs.command("widedeep.cli.keeping:delete_runs", name="delete", help=_DELETE)
    root.command(runs)
    models = App(name="models", help="Look at models and find out what they can do.")
    models.command("widedeep.cli.models:list_models", name="list", help=_MODELS)
    models.command("widedeep.cli.probe:probe_model", name="probe", help=_PROBE)
    root.command(models)
    config = App(name="config", help="Look at the settings.")
    config.command("widedeep.cli.config:show", name="show", help="Show each setting, its origin.")
    root.command(config)
    root.command("widedeep.cli.doctor:doctor", name="doctor", help="Check what this machine has.")
    return root


app = _make()
