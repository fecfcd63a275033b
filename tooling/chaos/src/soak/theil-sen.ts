import { median } from '@postrider/harness/statistics';

/** The most points that are compared with each other. Of more, every second, every third and so on is taken. */
const mostPoints = 600;

/**
 * The slope of a line through points, the median of the slopes of all pairs: single samples far off do not move it.
 * https://en.wikipedia.org/wiki/Theil%E2%80%93Sen_estimator
 *
 * @returns change of y by x; 0 for fewer than two points
 */
export function theilSenSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const every = Math.ceil(points.length / mostPoints);
  const some = points.filter((_point, index) => index % every === 0);
  const slopes: number[] = [];
  for (const [index, [x, y]] of some.entries())
    for (const [otherX, otherY] of some.slice(index + 1))
      if (otherX !== x) slopes.push((otherY - y) / (otherX - x));
  return median(slopes);
}
