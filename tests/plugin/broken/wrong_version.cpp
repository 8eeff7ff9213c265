extern "C" const char* footfall_plugin_version() { return "0.0.1"; }
extern "C" void footfall_add_blocks(void*) {}
