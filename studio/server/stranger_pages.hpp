#pragma once

namespace footfall::studio {

// What the server shows to those that it does not know: nothing but what to do.

/// For a browser that comes without a token.
inline constexpr const char* kStrangerPage = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Footfall: the token is missing</title>
<link rel="icon" href="data:,">
<style>body { font: 16px/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 34em; padding: 0 1em; color-scheme: light dark }</style>
<h1>The token is missing</h1>
<p>This page belongs to whoever has started <code>footfall view</code>. That command has printed an address that ends in
<code>?token=…</code>: open that one. Afterwards this browser is known, until the command ends or the browser is closed.</p>
</html>
)";

/// For one whose token was good once.
inline constexpr const char* kUsedTokenPage = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Footfall: this address was good once</title>
<link rel="icon" href="data:,">
<style>body { font: 16px/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 34em; padding: 0 1em; color-scheme: light dark }</style>
<h1>This address was good once</h1>
<p>A browser has opened it already. Open the address that <code>footfall view</code> has printed: it works for as long as the
command runs.</p>
<p>If you have not opened it before, somebody else on this machine has: end the command by Ctrl-C, and start it again with
<code>--no-browser</code>.</p>
</html>
)";

}  // namespace footfall::studio
