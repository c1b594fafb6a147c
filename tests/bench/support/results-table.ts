import type { Part, Row } from './results.ts';

const head = `# What it costs

Made by \`npm run bench\`; every number is of that run, every ratio of two things that took turns in it. CPU time is the
figure to trust on a machine with neighbours: rates follow whatever else runs.

Each file \`tests/bench/*.bench.ts\` makes one section. \`npx vitest run --project bench NAME\` measures one of them again and
leaves the others as they are. Other libraries are a package of their own in \`tests/bench/peers\`, which the bench installs.
`;

/** The file with these parts in place of older ones of the same titles; other parts stay as they were measured. */
export function withParts(kept: string, parts: Part[], machine: string): string {
  const sections = new Map<string, string>();
  for (const section of kept.split(/^(?=## )/m).slice(1)) {
    sections.set(section.slice(3, section.indexOf('\n')), section.trim());
  }
  for (const { title, conditions, rows, plots = [] } of parts) {
    const drawings = plots.map(({ file, alt }) => `\n\n![${alt}](plots/${file})`).join('');
    sections.set(title, `## ${title}\n\n${machine}. ${conditions}\n\n${tableOf(rows)}${drawings}`);
  }
  return `${[head, ...sections.values()].map((text) => text.trim()).join('\n\n')}\n`;
}

/** Markdown that is readable as it stands. */
export function tableOf(rows: Row[]): string {
  const lines = [
    ['What', 'Figure', 'Against', 'Ratio'],
    ...rows.map(({ what, figure, against, ratio }) => [what, figure, against, ratio]),
  ];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const [top = '', ...body] = lines.map(
    (line) => `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [top, rule, ...body].join('\n');
}
