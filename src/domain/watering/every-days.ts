/** How often a plant is watered: 'Every 3 days'. */
export function everyDays(days: number): string {
  return `Every ${daysOf(days)}`;
}

export function daysOf(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}
