"""What a user has set: one TOML file, the environment, the command line."""

from widedeep.settings.loading import CONFIG_VARIABLE, Configuration, Limits, Settings, load
from widedeep.settings.places import default_config, default_store, place

__all__ = [
    "CONFIG_VARIABLE",
    "Configuration",
    "Limits",
    "Settings",
    "default_config",
    "default_store",
    "load",
    "place",
]
