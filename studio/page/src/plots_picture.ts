// All plots with their legends as one picture: SVG, and PNG made of it.

import { ChartPainter, type SvgColors } from './chart_svg';
import { color } from './line_chart';
import type { Plot } from './plot';
import { svg } from './svg';

const LINE = 16, GAP = 12, SIZE = 11, INDENT = 36;  // [pixels]
const FAMILY = 'system-ui, sans-serif';

/** A line of a legend as lines that are not longer than a width: its name, then its numbers. */
function wrapped(text: string, room: number, pen: CanvasRenderingContext2D): string[] {
  const parts = text.replaceAll(' · ', ' ·\n ').replaceAll('   ', '   \n').split('\n'), lines = [''];
  for (const part of parts) {
    const longer = lines[lines.length - 1] + part;
    if (lines[lines.length - 1] === '' || pen.measureText(longer).width <= room) lines[lines.length - 1] = longer;
    else lines.push(part.trimStart());
  }
  return lines.map((line) => line.trimEnd());
}

/** As they are on the page, in its colors. */
export function plotsAsSvg(plots: Plot[], width: number): SVGElement {
  const colors: SvgColors = { text: color('--text-dim'), grid: color('--grid') }, text = color('--text'), parts: SVGElement[] = [];
  const pen = document.createElement('canvas').getContext('2d')!;
  pen.font = `${SIZE}px ${FAMILY}`;
  let y = GAP;
  for (const plot of plots) {
    const { chart, legend, title } = plot.picture(width), group = svg('g', { transform: `translate(0 ${y})` });
    const line = (x: number, at: number, words: string, fill: string) => svg('text', { x, y: at, fill, 'font-size': SIZE, 'font-family': FAMILY, 'xml:space': 'preserve' }, words);
    group.append(new ChartPainter(chart, colors).element);
    let below = chart.height + LINE;
    if (title) {
      group.append(line(14, below, title, colors.text));
      below += LINE;
    }
    for (const entry of legend) {
      if (entry.hidden) continue;
      group.append(svg('rect', { x: 14, y: below - 5, width: 14, height: 2.5, fill: entry.color }));
      for (const words of wrapped(entry.text, width - INDENT - GAP, pen)) {
        group.append(line(INDENT, below, words, text));
        below += LINE;
      }
    }
    parts.push(group);
    y += below + GAP;
  }
  const all = svg('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height: y, viewBox: `0 0 ${width} ${y}` });
  all.append(svg('rect', { width, height: y, fill: color('--background') }), ...parts);
  return all;
}

export function svgBlob(picture: SVGElement): Blob {
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: 'image/svg+xml' });
}

/** @param scale pixels of the picture for each of the page */
export async function pngBlob(picture: SVGElement, scale: number): Promise<Blob | null> {
  const image = new Image(), address = URL.createObjectURL(svgBlob(picture));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.max(1, image.width * scale), Math.max(1, image.height * scale)];
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve));
  } finally {
    URL.revokeObjectURL(address);
  }
}
