"""Stands in for hatchling where sources are asked for: see pkg_info.py."""
