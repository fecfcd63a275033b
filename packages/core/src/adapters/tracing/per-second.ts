/** @returns whether one more may happen in this second; if so, it counts */
export function perSecond(most: number, now = () => performance.now()): () => boolean {
  let second = -1;
  let count = 0;
  return () => {
    const present = Math.floor(now() / 1_000);
    if (present !== second) {
      second = present;
      count = 0;
    }
    if (count >= most) return false;
    count += 1;
    return true;
  };
}
