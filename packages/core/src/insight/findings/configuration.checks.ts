import { distance } from 'fastest-levenshtein';
import type { Examined } from './examined.ts';
import { checksOf, failure, type Outcome, ok, warning } from './finding.ts';

/** Shorter names are near to many others. */
const shortestName = 6;
const longNameFrom = 9;

/** The variable that was probably meant by a name that an installation does not read. */
export function suggestName(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return null;
  const upper = name.toUpperCase().replaceAll('-', '_');
  const prefixed = known.find(
    (each) =>
      each.length >= shortestName && each.includes('_') && (upper === each || upper === `POSTRIDER_${each}`),
  );
  if (prefixed !== undefined) return prefixed;
  if (name.length < shortestName || name !== upper) return null;
  const most = name.length < longNameFrom ? 1 : 2;
  const near = known
    .filter(({ length }) => length >= shortestName)
    .map((each) => ({ each, by: distanceOf(name, each) }))
    .filter(({ by }) => by <= most)
    .sort((a, b) => a.by - b.by);
  return near[0]?.each ?? null;
}

/** Two neighbouring letters in the wrong order are one mistake. */
function distanceOf(given: string, known: string): number {
  if (given.length === known.length) {
    const at = [...given].findIndex((letter, index) => letter !== known[index]);
    const swapped = given.slice(0, at) + (given[at + 1] ?? '') + (given[at] ?? '') + given.slice(at + 2);
    if (swapped === known) return 1;
  }
  return distance(given, known);
}

const variables = ({ problems }: Examined): Outcome[] =>
  problems.length === 0
    ? [ok('environment', 'every variable is valid')]
    : problems.map(({ variable, text }) =>
        failure({
          subject: variable,
          found: `${variable} ${text}`,
          cause: 'No process starts with this environment.',
          action: `Correct ${variable}. The table in README.md, under "Configuration", describes each variable.`,
        }),
      );

function names({ env, knownNames }: Examined): Outcome[] {
  const mistaken = Object.keys(env).flatMap((name) => {
    const meant = suggestName(name, knownNames);
    // Both set: the other one is of another program.
    return meant !== null && env[meant] === undefined ? [{ name, meant }] : [];
  });
  if (mistaken.length === 0) return [ok('names of variables', 'none looks like a misspelt one')];
  return mistaken.map(({ name, meant }) =>
    warning({
      subject: name,
      found: `${name} is set, and nothing reads it`,
      cause: `It is spelt like ${meant}, which is not set, so the default of ${meant} is in force.`,
      action: `Rename it to ${meant}, or remove it.`,
    }),
  );
}

const addresses = ['API_URL', 'DASHBOARD_URL', 'LINKS_URL'] as const;

function https({ env, config }: Examined): Outcome[] {
  if (env['NODE_ENV'] !== 'production') return [ok('public addresses', 'NODE_ENV is not production')];
  const plain = addresses.filter((name) => !config[name].startsWith('https:'));
  // The others follow API_URL unless they are set.
  const own = plain.filter((name) => name === 'API_URL' || env[name] !== undefined);
  if (plain.length === 0) return [ok('public addresses', 'all of them are https')];
  return own.map((name) =>
    warning({
      subject: name,
      found: `${name} is ${config[name]}`,
      cause:
        'Logins, keys and links of emails travel readable through the network, and browsers warn of the pages.',
      action: `Put a reverse proxy with a certificate in front of the api, and set ${name} to its https address.`,
    }),
  );
}

function proxy({ env, config }: Examined): Outcome[] {
  const isBehindProxy = env['NODE_ENV'] === 'production' && config.API_URL.startsWith('https:');
  if (!isBehindProxy || config.trustedProxies !== false)
    return [ok('TRUST_PROXY', isBehindProxy ? 'set' : 'no proxy is to be expected')];
  return [
    warning({
      subject: 'TRUST_PROXY',
      found: 'TRUST_PROXY is not set, and API_URL is https',
      cause:
        'The api speaks no TLS itself, so a proxy is in front of it. Every client has the address of that proxy: limits per address count all of them together, and the audit log names the proxy.',
      action: 'Set TRUST_PROXY to the number of proxies in front of the api, or to their addresses.',
    }),
  ];
}

export const configurationChecks = checksOf<Examined>('configuration')({
  variables: { reference: 'Configuration: variables', run: variables },
  names: { reference: 'Configuration: names of variables', run: names },
  https: { reference: 'Configuration: https', run: https, needs: [...addresses] },
  proxy: { reference: 'Configuration: reverse proxy', run: proxy, needs: ['API_URL', 'TRUST_PROXY'] },
});
