// node bundle.mjs <folder with src/ and node_modules/> <page.html>: script and style go into one html file that needs nothing else, with
// the licences of the packages in it as a comment.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [folder, output] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(join(folder, 'x'))('esbuild');

async function bundle(entry, extra) {
  const result = await esbuild.build({
    entryPoints: [join(folder, 'src', entry)], bundle: true, minify: true, write: false, charset: 'utf8', legalComments: 'inline', ...extra,
  });
  return result.outputFiles[0].text;
}

// Each package that goes into the page has its text in tools/licenses; without one there is no page.
function licenses() {
  const own = new URL('../../LICENSE', import.meta.url);
  const packages = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;
  const files = Object.keys(packages).map((name) => new URL(`../../tools/licenses/${name}.txt`, import.meta.url));
  const texts = [own, ...files].map((file) => readFileSync(file, 'utf8'));
  return `\nThis page is part of Footfall.\n\n${texts.join('\n')}`.replaceAll('--', '- -');
}

const script = await bundle('main.ts', { format: 'iife', target: 'es2022' });
const style = await bundle('style.css', {});
const page = readFileSync(join(folder, 'src', 'index.html'), 'utf8')
  .replace('<html', () => `<!--${licenses()}-->\n<html`)
  .replace('/*style*/', () => style)
  .replace('/*script*/', () => script.replaceAll('</script', '<\\/script'));
writeFileSync(output, page);
