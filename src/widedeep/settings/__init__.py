"""What a user has set: one TOML file, the environment, the command line."""

from widedeep.settings.loading import CONFIG_VARIABLE, Configuration, Limits, Settings, load
from widedeep.settings.places import default_config, default_store, place
from widedeep.settings.servers import WidthMode

__all__ = [
    "CONFIG_VARIABLE",
    "Configuration",
    "Limits",
    "Settings",
    "WidthMode",
    "default_config",
    "default_store",
    "load",
    "place",
]
