import { BROWSER_MAP, parse } from 'bowser';
import { RecentMap } from '../../base/lib/recent-map.ts';
import { isBot } from './bots.rules.ts';
import { machine, mailProxies, personalDevices } from './client-names.rules.ts';

interface MailClient {
  /** whether the request was made by a machine: it does not count */
  bot: boolean;
  /** such as `Outlook` or `Chrome` */
  client: string;
  device: (typeof personalDevices)[number] | 'proxy' | 'machine';
}

/** Mail programs, whose names those of browsers hide. */
const programs: readonly [RegExp, string][] = [
  [/OneOutlook|Microsoft Outlook|ms-office|MSOffice/i, 'Outlook'],
  [/Thunderbird\//i, 'Thunderbird'],
  [/SamsungEmail/i, 'Samsung Email'],
  [/YahooMobileMail|YahooMail\//i, 'Yahoo Mail app'],
  [/ProtonMail\//i, 'Proton Mail'],
];

/** WebKit on Apple's systems without the name of a browser. */
const appleMail =
  /\((Macintosh|iPhone|iPad|iPod)[^)]*\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)( Mobile\/\w+)?$/;

/** What a machine is stored as. */
export const machineClient: Readonly<MailClient> = { bot: true, client: machine, device: 'machine' };

/** Only listed names are stored: a request can contain any name, so there would be no end of them. */
const browsers = new Set(Object.values(BROWSER_MAP));

/** Characters of a User-Agent that are read. */
const readLength = 512;
/** Parsing takes tens of microseconds, and few User-Agents make up most requests. */
const recent = new RecentMap<string, MailClient>(2_000);

/** The program and the kind of device that a request came from, by its User-Agent. */
export function mailClientOf(userAgent: string | null | undefined): Readonly<MailClient> {
  const text = (userAgent ?? '').trim().slice(0, readLength);
  const known = recent.get(text);
  if (known) return known;
  const client = recognize(text);
  recent.set(text, client);
  return client;
}

function recognize(text: string): MailClient {
  const bot = isBot(text);
  const proxy = mailProxies.find(({ userAgent }) => userAgent.test(text));
  if (proxy) return { client: proxy.name, device: 'proxy', bot };
  if (bot) return machineClient;
  const { browser, platform } = parse(text);
  const program = programs.find(([pattern]) => pattern.test(text))?.[1];
  const name = browser.name !== undefined && browsers.has(browser.name) ? browser.name : 'Other';
  return {
    bot,
    client: program ?? (appleMail.test(text) ? 'Apple Mail' : name),
    device: personalDevices.find((kind) => kind === platform.type) ?? 'other',
  };
}
