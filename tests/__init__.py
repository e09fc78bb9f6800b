"""Tests of widedeep; shared code is imported as `from tests.require import ...`."""
