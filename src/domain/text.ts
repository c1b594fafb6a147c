/** A measured value as it is read: '41.5', '-3', from 100 on in whole numbers, '12,300'. By hand, as dates are. */
export function numberText(value: number): string {
  const rounded = Number(value.toFixed(Math.abs(value) < 100 ? 1 : 0));
  return String(rounded).replace(/\B(?=(\d{3})+$)/g, ',');
}
