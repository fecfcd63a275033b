/** Tests of differences between groups of recipients that a draw has made. Pure, and safe in a browser. */

const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** The logarithm of the gamma function of a positive number (approximation by Lanczos, 15 digits). */
export function lnGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lnGamma(1 - x);
  const at = x - 1;
  const sum = lanczos.reduce((total, part, index) => total + part / (at + index + 1), 0.9999999999998099);
  const t = at + lanczos.length - 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (at + 0.5) * Math.log(t) - t + Math.log(sum);
}

const lnBeta = (a: number, b: number): number => lnGamma(a) + lnGamma(b) - lnGamma(a + b);

/** Conversions of two groups. */
export interface Conversions {
  a: number;
  b: number;
  /** the part of both that the draw gives to `a`; half by default */
  share?: number;
}

/** How far the share of conversions is expected to be from that of recipients: as if a hundred had been seen before. */
const seenBefore = 100;

/**
 * The evidence that two groups convert differently, which may be looked at at any time: without a difference it exceeds a value *v* at any of
 * all looks with a probability of at most 1/*v* (a mixture of likelihoods against the fair draw; arXiv 2011.03567). As its logarithm, so that
 * it does not overflow.
 *
 * @param ratio the ratio of the rates that it speaks against; 1 for no difference
 */
export function lnEvidence({ a, b, share = 0.5 }: Conversions, ratio = 1): number {
  const prior = { a: seenBefore * share, b: seenBefore * (1 - share) };
  const ofA = (ratio * share) / (ratio * share + 1 - share);
  const mixed = lnBeta(prior.a + a, prior.b + b) - lnBeta(prior.a, prior.b);
  return mixed - a * Math.log(ofA) - b * Math.log(1 - ofA);
}

/** Fewer conversions in all prove nothing. */
const leastConversions = 50;
/** What one comparison must reach, times the number of comparisons. */
const leastEvidence = 100;

/** Whether a difference is proven, at any time. @param comparisons how many groups the leader is compared with */
export const isProven = (conversions: Conversions, comparisons = 1): boolean =>
  conversions.a + conversions.b >= leastConversions &&
  lnEvidence(conversions) >= Math.log(leastEvidence * comparisons);

export interface Ratio {
  /** null if nobody of the second group converted */
  ratio: number | null;
  /** bounds that hold at all times together with a probability of 95 %; null for no bound */
  low: number | null;
  high: number | null;
}

/** The ratio of the rates of two groups, and the ratios that the evidence does not speak against. */
export function ratioOf(conversions: Conversions): Ratio {
  const { a, b, share = 0.5 } = conversions;
  const parts = share / (1 - share);
  const isExcluded = (ratio: number): boolean => lnEvidence(conversions, ratio) >= Math.log(20);
  // With no conversions in one group, the other bound is found from where the data are likeliest.
  const likeliest = Math.max(a, 0.5) / Math.max(b, 0.5) / parts;
  return {
    ratio: b === 0 ? null : a / b / parts,
    low: a === 0 ? null : boundOf(likeliest, 0.5, isExcluded),
    high: b === 0 ? null : boundOf(likeliest, 2, isExcluded),
  };
}

/** The first ratio that is excluded on one side; null if none is within sixty doublings. */
function boundOf(from: number, step: number, isExcluded: (ratio: number) => boolean): number | null {
  let [inside, outside] = [from, from * step];
  for (let doubled = 0; !isExcluded(outside); doubled += 1) {
    if (doubled === 60) return null;
    [inside, outside] = [outside, outside * step];
  }
  for (let halved = 0; halved < 50; halved += 1) {
    const middle = Math.sqrt(inside * outside);
    if (isExcluded(middle)) outside = middle;
    else inside = middle;
  }
  return outside;
}

/** A group and how many of it converted. */
export interface Group {
  size: number;
  converted: number;
}

/**
 * Fisher's exact test, two-sided: the probability of a table at most as likely as this one, if both groups convert alike. Takes time in
 * proportion to the conversions.
 */
export function fisherTest(first: Group, second: Group): number {
  const converted = first.converted + second.converted;
  const size = first.size + second.size;
  const lnChoose = (n: number, k: number): number => lnGamma(n + 1) - lnGamma(k + 1) - lnGamma(n - k + 1);
  const whole = lnChoose(size, converted);
  const lnOf = (k: number): number => lnChoose(first.size, k) + lnChoose(second.size, converted - k) - whole;
  // Tables as likely as this one must count, whatever rounding does to them.
  const most = lnOf(first.converted) + 1e-7;
  let sum = 0;
  for (let k = Math.max(0, converted - second.size); k <= Math.min(first.size, converted); k += 1) {
    const ln = lnOf(k);
    if (ln <= most) sum += Math.exp(ln);
  }
  return Math.min(1, sum);
}

/** Values per recipient of a group. */
export interface Values {
  size: number;
  mean: number;
  variance: number;
}

/** Welch's test, two-sided: the probability of means at least as far apart, if they do not differ. */
export function welchTest(first: Values, second: Values): number {
  const [of1, of2] = [first.variance / first.size, second.variance / second.size];
  const squared = of1 + of2;
  if (squared === 0) return first.mean === second.mean ? 1 : 0;
  const t = (first.mean - second.mean) / Math.sqrt(squared);
  const freedom = squared ** 2 / (of1 ** 2 / (first.size - 1) + of2 ** 2 / (second.size - 1));
  return betaRegularized(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/** The χ² test of counts against equal parts: the probability of counts at least as unequal. */
export function equalPartsTest(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  if (expected === 0) return 1;
  const chi2 = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return 1 - gammaRegularized((counts.length - 1) / 2, chi2 / 2);
}

const tiny = 1e-300;
const precision = 1e-15;
const mostTerms = 10_000;

/** The regularized incomplete beta function, by its continued fraction (Lentz). */
function betaRegularized(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaRegularized(1 - x, b, a);
  const away = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < mostTerms; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return (Math.exp(a * Math.log(x) + b * Math.log(1 - x) - lnBeta(a, b)) / a) * fraction;
}

/** The regularized lower incomplete gamma function: its series below the mean, its continued fraction above. */
function gammaRegularized(a: number, x: number): number {
  if (x <= 0) return 0;
  const scale = Math.exp(-x + a * Math.log(x) - lnGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < mostTerms && term > sum * precision; n += 1) {
      term *= x / (a + n);
      sum += term;
    }
    return sum * scale;
  }
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < mostTerms; n += 1) {
    const part = -n * (n - a);
    b += 2;
    d = 1 / (part * d + b || tiny);
    c = b + part / c || tiny;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return 1 - scale * fraction;
}

const quantileParts = {
  a: [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
    2.506628277459239,
  ],
  b: [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1],
  c: [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  d: [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1],
};

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

/** The point below which a standard normal value is with this probability (approximation by Acklam, 9 digits). */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return Number.NEGATIVE_INFINITY;
  if (probability >= 1) return Number.POSITIVE_INFINITY;
  const { a, b, c, d } = quantileParts;
  const edge = 0.02425;
  if (probability > 1 - edge) return -normalQuantile(1 - probability);
  if (probability < edge) {
    const q = Math.sqrt(-2 * Math.log(probability));
    return polynomial(c, q) / polynomial(d, q);
  }
  const q = probability - 0.5;
  const r = q * q;
  return (polynomial(a, r) * q) / polynomial(b, r);
}
