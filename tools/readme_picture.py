#!/usr/bin/env python3
"""Draws docs/images/push.svg, the picture of the README, from a log of the default scene. Needs nothing but Python:

    footfall run scenes/demo.yaml --log push.csv && tools/readme_picture.py push.csv docs/images/push.svg
"""
import csv
import sys

WIDTH, PANEL, MARGIN, GAP = 760, 150, 64, 34
COLOURS = {"l_sole": "#1b6ca8", "r_sole": "#d1495b", "base.x": "#2e7d32"}


def read(path):
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [row for row in rows if row["l_sole.force.z [N]"]]


def panel(top, title, times, series):
    """Axes, labels and one line for each named series of numbers."""
    low = min(min(values) for _, values in series)
    high = max(max(values) for _, values in series)
    low, high = low - 0.05 * (high - low), high + 0.05 * (high - low)
    t_end = times[-1]

    def x(t):
        return MARGIN + t / t_end * (WIDTH - 2 * MARGIN)

    def y(v):
        return top + PANEL - (v - low) / (high - low) * PANEL

    out = [f'<rect x="{MARGIN}" y="{top}" width="{WIDTH - 2 * MARGIN}" height="{PANEL}" fill="none" stroke="#bbb"/>',
           f'<rect x="{x(1.0):.1f}" y="{top}" width="{x(1.2) - x(1.0):.1f}" height="{PANEL}" fill="#f6c945" opacity="0.45"/>',
           f'<text x="{MARGIN}" y="{top - 8}" font-weight="bold">{title}</text>']
    for k in range(3):
        value = low + (high - low) * (0.05 + 0.45 * k)
        out.append(f'<text x="{MARGIN - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.4g}</text>')
    for k, (name, values) in enumerate(series):
        points = " ".join(f"{x(t):.1f},{y(v):.1f}" for t, v in zip(times, values))
        out.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="1.4"/>')
        out.append(f'<text x="{WIDTH - MARGIN - 8}" y="{top + 18 + 16 * k}" text-anchor="end" fill="{COLOURS[name]}">{name}</text>')
    return out


def main(log, picture):
    rows = [row for row in read(log) if float(row["time [s]"]) > 0.05][::5]  # the last corners have come down
    times = [float(row["time [s]"]) for row in rows]
    soles = [(s, [float(row[f"{s}.force.z [N]"]) for row in rows]) for s in ("l_sole", "r_sole")]
    start = float(rows[0]["base.x [m]"])
    sway = [("base.x", [1e3 * (float(row["base.x [m]"]) - start) for row in rows])]
    height = 2 * PANEL + 3 * GAP + 20
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" fill="white"/>']
    out += panel(GAP, "iCub, pushed with 60 N for 0.2 s (yellow): force under each sole [N]", times, soles)
    out += panel(PANEL + 2 * GAP + 6, "its base sways [mm]", times, sway)
    for t in range(int(times[-1]) + 1):
        out.append(f'<text x="{MARGIN + t / times[-1] * (WIDTH - 2 * MARGIN):.1f}" y="{height - 14}" text-anchor="middle">{t} s</text>')
    out.append("</svg>")
    with open(picture, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
