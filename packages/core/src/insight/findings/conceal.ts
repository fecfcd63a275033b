import { splitList } from '../../base/lib/split-list.rules.ts';

/** Names of variables whose values are secret, or may be. */
const secretName = /SECRET|PASSWORD|TOKEN|API_KEY|ACCESS_KEY|_KEY$|_PASS$/;
/** Shorter texts occur in every sentence. */
const shortest = 4;
const shown = '***';

/** Any URL with a user, whether it is one of the environment or not. Schemes are short, and the time is in proportion to the text. */
const userInfo = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@]*@/gi;

/**
 * A function that takes secrets out of a text: the values of secret variables, and users and passwords of URLs. Texts of servers and
 * libraries may repeat what they were given.
 */
export function concealer(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (!value) continue;
    if (secretName.test(name)) for (const part of [value, ...splitList(value)]) secrets.add(part);
    for (const part of credentialsIn(value)) secrets.add(part);
  }
  const ordered = [...secrets].filter(({ length }) => length >= shortest).sort((a, b) => b.length - a.length);
  return (text) => {
    let concealed = text.replace(userInfo, `$1${shown}@`);
    for (const secret of ordered) concealed = concealed.replaceAll(secret, shown);
    return concealed;
  };
}

/** Password of a URL, as it is written and as it is sent. The name of the user is no secret, but may be a key. */
function credentialsIn(value: string): string[] {
  const written = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]*?:([^\s/?#]*)@/i.exec(value)?.[1];
  if (!written) return [];
  try {
    const sent = decodeURIComponent(written);
    return [written, sent, Buffer.from(sent).toString('base64')];
  } catch {
    return [written];
  }
}
