import type { Part, Row } from './results.ts';

const head = `# What it costs

Written by \`npm run bench\`. Every ratio compares two things that took turns in the same run. On a shared machine
compare CPU times, because rates depend on what else runs there.

Each file \`tests/bench/*.bench.ts\` writes one section. \`npm run bench -- NAME\` runs one of them again and leaves
the other sections as they are, so a section describes the code of its date. The libraries that Sprig is compared with
are a separate package in \`tests/bench/peers\`, which the bench installs.
`;

/** RESULTS.md with this section in place of the one of the same title; the other sections stay. */
export function withPart(kept: string, part: Part, machine: string): string {
  const sections = new Map<string, string>();
  for (const section of kept.split(/^(?=## )/m).slice(1)) {
    sections.set(section.slice(3, section.indexOf('\n')), section.trim());
  }
  const { title, conditions, rows, plots = [] } = part;
  const drawings = plots.map(({ file, alt }) => `\n\n![${alt}](plots/${file})`).join('');
  sections.set(title, `## ${title}\n\n${machine}. ${conditions}\n\n${tableOf(rows)}${drawings}`);
  return `${[head, ...sections.values()].map((text) => text.trim()).join('\n\n')}\n`;
}

/** A Markdown table with aligned columns. */
export function tableOf(rows: Row[]): string {
  const lines = [
    ['What', 'Figure', 'Compared with', 'Ratio'],
    ...rows.map(({ what, figure, against, ratio }) => [what, figure, against, ratio]),
  ];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const [top = '', ...body] = lines.map(
    (line) => `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [top, rule, ...body].join('\n');
}
