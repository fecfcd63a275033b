/** Rows per import file, well below the limit of 5 MB per upload. */
export const rowsPerFile = 100_000;

export interface ImportRow {
  email: string;
  data: { name: string; plan: string; score: number };
}

const plans = ['free', 'pro', 'team'] as const;

export const rowOf = (n: number): ImportRow => ({
  email: `p${n}@people.test`,
  data: { name: `Person ${n}`, plan: plans[n % plans.length] ?? 'free', score: n % 1_000 },
});

/** A CSV file with the rows `first` to `first + count - 1`. */
export function csvOf(first: number, count: number): string {
  const lines = ['email,name,plan,score'];
  for (let n = first; n < first + count; n += 1) {
    const { email, data } = rowOf(n);
    lines.push(`${email},${data.name},${data.plan},${data.score}`);
  }
  return lines.join('\n');
}
