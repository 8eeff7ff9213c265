import pkg_info
from pkg_info import prepare_metadata_for_build_wheel  # noqa: F401

__legacy__ = pkg_info  # archives that name no backend mean this one
