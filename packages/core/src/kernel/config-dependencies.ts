type Given = Readonly<Record<string, string | undefined>>;

/** Variables that production must set, because their defaults only suit one machine. */
const requiredInProduction = ['APP_SECRET', 'DATABASE_URL', 'TEMPORAL_ADDRESS'] as const;

/** Variables of which both or neither must be set. */
const pairs = [['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']] as const;

/**
 * Variables that other variables make necessary and that are missing (behaviour B10).
 *
 * @param given the environment without empty variables
 * @returns one problem per missing variable, which begins with its name
 */
export function missingVariables(given: Given): string[] {
  const problems: string[] = [];
  if (given['NODE_ENV'] === 'production') {
    const names: string[] = [...requiredInProduction];
    if ((given['MAIL_TRANSPORT'] ?? 'smtp') === 'smtp') names.push('SMTP_URL');
    for (const name of names)
      if (given[name] === undefined) problems.push(`${name} is required in production`);
  }
  for (const [one, other] of pairs) {
    const missing = given[one] === undefined ? one : other;
    const set = missing === one ? other : one;
    if (given[missing] === undefined && given[set] !== undefined)
      problems.push(`${missing} is required when ${set} is set`);
  }
  return problems;
}
