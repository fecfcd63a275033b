/** Versions are numbers separated by dots; what follows a hyphen does not count. */
const partsOf = (version: string): number[] => (version.split('-')[0] ?? '').split('.').map(Number);

/** Negative if `one` is before `other`, positive if it is after it, 0 if they are equal. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `1.6` of `1.6.2`. */
export const minorOf = (version: string): string => partsOf(version).slice(0, 2).join('.');

/** Whether a version belongs to an earlier minor version than another. */
export const isEarlierMinor = (one: string, other: string): boolean =>
  compareVersions(minorOf(one), minorOf(other)) < 0;

/** Whether a minor version lies between two others, so that an upgrade from one to the other left it out. */
export function isMoreThanOneMinorBefore(one: string, other: string): boolean {
  const [[major = 0, minor = 0], [otherMajor = 0, otherMinor = 0]] = [partsOf(one), partsOf(other)];
  if (major === otherMajor) return otherMinor - minor > 1;
  return otherMajor - major > 1 || (otherMajor > major && otherMinor > 0);
}
