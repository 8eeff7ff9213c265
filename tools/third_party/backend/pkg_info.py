"""Stands in for the build backends of the archives that fetch.py wants: pip asks for a package's metadata before it hands over
its sources, and the real backends would compile everything to answer."""

import email
from pathlib import Path


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    text = Path("PKG-INFO").read_text()
    about = email.message_from_string(text)
    info = Path(metadata_directory, f"{about['Name'].replace('-', '_')}-{about['Version']}.dist-info")
    info.mkdir()
    info.joinpath("METADATA").write_text(text)
    return info.name
