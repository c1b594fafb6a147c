import { htmlEscaped } from '#domain/text.ts';
/** The data of a plot: several curves over one quantity. */
export interface Growth {
  /** What the plot shows. */
  title: string;
  xLabel: string;
  yLabel: string;
  xs: number[];
  series: { name: string; ys: number[] }[];
}

const [width, height] = [640, 320];
const frame = { left: 56, right: 196, top: 44, bottom: 52 };
const inner = {
  width: width - frame.left - frame.right,
  height: height - frame.top - frame.bottom,
};

/** Each for a light and for a dark background; based on Okabe and Ito's colours for colour-blind people. */
const colors = [
  ['#0072b2', '#56b4e9'],
  ['#b04a00', '#e69f00'],
  ['#00795a', '#00c795'],
] as const;
const dashes = ['', '7 4', '2 4'];

const style = `text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:14px;font-weight:600}
.grid{stroke:#ddd}.axis{stroke:#777}.paper{fill:#fff}
${colors.map(([light], i) => `.s${i}{stroke:${light}}.d${i}{fill:${light}}`).join('')}
@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#333}.axis{stroke:#888}.paper{fill:#0d1117}
${colors.map(([, dark], i) => `.s${i}{stroke:${dark}}.d${i}{fill:${dark}}`).join('')}}`;

/** The plot as SVG: the x axis is logarithmic, the y axis starts at zero. */
export function plotOf({ title, xLabel, yLabel, xs, series }: Growth): string {
  const [low, high] = [Math.log(Math.min(...xs)), Math.log(Math.max(...xs))];
  const step = niceStep(Math.max(1, ...series.flatMap(({ ys }) => ys)) / 5);
  const top = Math.max(1, ...series.flatMap(({ ys }) => ys.map((y) => Math.ceil(y / step) * step)));
  const atX = (x: number) => round(frame.left + ((Math.log(x) - low) / (high - low)) * inner.width);
  const atY = (y: number) => round(frame.top + (1 - y / top) * inner.height);
  const [floor, end] = [atY(0), frame.left + inner.width];
  const ticks = Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => i * step);
  const parts = [
    `<rect class="paper" width="${width}" height="${height}"/>`,
    text(frame.left, 22, title, 'class="title"'),
    ...ticks.flatMap((y) => [
      `<path class="grid" d="M${frame.left} ${atY(y)}H${end}"/>`,
      text(frame.left - 8, atY(y) + 4, short(y), 'text-anchor="end"'),
    ]),
    `<path class="axis" fill="none" d="M${frame.left} ${frame.top}V${floor}H${end}"/>`,
    ...xs.flatMap((x) => [
      `<path class="axis" d="M${atX(x)} ${floor}v5"/>`,
      text(atX(x), floor + 18, short(x), 'text-anchor="middle"'),
    ]),
    text(frame.left + inner.width / 2, height - 12, xLabel, 'text-anchor="middle"'),
    text(frame.left, frame.top - 6, yLabel),
    ...series.flatMap((one, i) => curve(one, i, xs, atX, atY)),
    ...legend(series, atY),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}"
height="${height}" role="img" aria-label="${htmlEscaped(title)}"><style>${style}</style>\n${parts.join('\n')}\n</svg>\n`;
}

function curve(
  { ys }: Growth['series'][number],
  i: number,
  xs: number[],
  atX: (x: number) => number,
  atY: (y: number) => number,
): string[] {
  const points = ys.map((y, at) => `${atX(xs[at] ?? 1)} ${atY(y)}`);
  const dash = dashes[i] ? ` stroke-dasharray="${dashes[i]}"` : '';
  return [
    `<path class="s${i}" fill="none" stroke-width="2"${dash} d="M${points.join('L')}"/>`,
    ...ys.map((y, at) => `<circle class="d${i}" cx="${atX(xs[at] ?? 1)}" cy="${atY(y)}" r="3.5"/>`),
  ];
}

/** The name of each curve beside its end, without overlapping the others. */
function legend(series: Growth['series'], atY: (y: number) => number): string[] {
  const ends = series.map(({ name, ys }, i) => ({ name, i, y: atY(ys.at(-1) ?? 0) }));
  ends.sort((a, b) => a.y - b.y);
  let lowest = frame.top - 14;
  for (const end of ends) {
    end.y = Math.max(end.y, lowest + 18);
    lowest = end.y;
  }
  const over = Math.max(0, lowest - (frame.top + inner.height));
  const left = frame.left + inner.width + 12;
  return ends.flatMap(({ name, i, y }) => [
    `<path class="s${i}" fill="none" stroke-width="2" ${dashes[i] ? `stroke-dasharray="${dashes[i]}" ` : ''}d="M${left} ${y - over}h18"/>`,
    text(left + 24, y - over + 4, name),
  ]);
}

function text(x: number, y: number, words: string, attributes = ''): string {
  return `<text x="${x}" y="${y}" ${attributes}>${htmlEscaped(words)}</text>`;
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

function short(value: number): string {
  return compact.format(value);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
