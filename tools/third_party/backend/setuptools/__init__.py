"""Stands in for setuptools where fetch.py asks for sources: see pkg_info.py."""
