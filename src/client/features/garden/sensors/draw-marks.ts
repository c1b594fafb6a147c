import type uPlot from 'uplot';
import type { Range } from '#domain/plant/plant.ts';

/** A colour function for uPlot; reads the token at each draw, because the theme may change. */
export function tokenColour(token: string): (plot: uPlot) => string {
  return (plot) => getComputedStyle(plot.root).getPropertyValue(token);
}

/** Draws the optimal range as a band behind the line. */
export function drawBand(plot: uPlot, { min, max }: Range): void {
  const { ctx, bbox } = plot;
  const top = plot.valToPos(max, 'y', true);
  const bottom = plot.valToPos(min, 'y', true);
  ctx.save();
  ctx.fillStyle = tokenColour('--leaf-tint')(plot);
  ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
  ctx.fillStyle = tokenColour('--leaf')(plot);
  ctx.globalAlpha = 0.5;
  for (const edge of [top, bottom]) ctx.fillRect(bbox.left, edge, bbox.width, devicePixelRatio);
  ctx.restore();
}

/** With more waterings than this, lines would hide the readings, so each is drawn as a small drop only. */
const mostLines = 30;

/** Draws a line with a drop for each watering in the chart's time window. */
export function drawWaterings(plot: uPlot, waterings: readonly number[]): void {
  const { ctx, bbox, scales } = plot;
  const pixel = devicePixelRatio;
  const from = scales.x?.min ?? 0;
  const to = scales.x?.max ?? 0;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = tokenColour('--water')(plot);
  ctx.lineWidth = pixel;
  ctx.setLineDash([3 * pixel, 3 * pixel]);
  const shown = waterings.filter((moment) => moment >= from && moment <= to);
  const lefts = shown.map((moment) => Math.round(plot.valToPos(moment, 'x', true)));
  const hasLines = shown.length <= mostLines;
  // One path for all lines and one for all drops, because many strokes and fills are slow on a phone.
  ctx.beginPath();
  for (const left of hasLines ? lefts : []) {
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
  }
  ctx.stroke();
  ctx.beginPath();
  for (const left of lefts) addDrop(ctx, left, bbox.top - 2 * pixel, (hasLines ? 5 : 3) * pixel);
  ctx.fill();
  ctx.restore();
}

/** Adds a drop around its centre to the path. */
function addDrop(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.moveTo(x, y - size);
  ctx.bezierCurveTo(x + size, y, x + size * 0.8, y + size, x, y + size);
  ctx.bezierCurveTo(x - size * 0.8, y + size, x - size, y, x, y - size);
}
