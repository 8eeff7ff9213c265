// node bundle.mjs <node_modules> <page.html>: script and style go into one html file that needs nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(join(modules, 'x'))('esbuild');

async function bundle(entry, extra) {
  const result = await esbuild.build({
    entryPoints: [entry], bundle: true, minify: true, write: false, nodePaths: [modules], charset: 'utf8',
    legalComments: 'inline', ...extra,
  });
  return result.outputFiles[0].text;
}

const script = await bundle('src/main.ts', { format: 'iife', target: 'es2022' });
const style = await bundle('src/style.css', {});
const page = readFileSync('src/index.html', 'utf8')
  .replace('/*style*/', () => style)
  .replace('/*script*/', () => script.replaceAll('</script', '<\\/script'));
writeFileSync(output, page);
