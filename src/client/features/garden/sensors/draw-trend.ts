import type uPlot from 'uplot';
import type { Range } from '#domain/plant/plant.ts';

/** Read when it is drawn: the theme may have changed since. */
export function tokenColour(token: string): (plot: uPlot) => string {
  return (plot) => getComputedStyle(plot.root).getPropertyValue(token);
}

/** The optimal range, behind the line. */
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

/** A line with a drop for each watering that the chart's time holds. */
export function drawWaterings(plot: uPlot, waterings: readonly number[]): void {
  const { ctx, bbox, scales } = plot;
  const pixel = devicePixelRatio;
  const from = scales.x?.min ?? 0;
  const to = scales.x?.max ?? 0;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = tokenColour('--water')(plot);
  ctx.lineWidth = pixel;
  ctx.setLineDash([3 * pixel, 3 * pixel]);
  for (const moment of waterings) {
    if (moment < from || moment > to) continue;
    const left = Math.round(plot.valToPos(moment, 'x', true));
    ctx.beginPath();
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
    drawDrop(ctx, left, bbox.top - 2 * pixel, 5 * pixel);
  }
  ctx.restore();
}

/** A drop whose middle stands at a point. */
function drawDrop(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y - size);
  ctx.bezierCurveTo(x + size, y, x + size * 0.8, y + size, x, y + size);
  ctx.bezierCurveTo(x - size * 0.8, y + size, x - size, y, x, y - size);
  ctx.fill();
}
