/** What opens and clicks are counted by: names of programs, and kinds of devices. */

/**
 * Proxies of mail services by what their User-Agent contains. Gmail's and Yahoo's load an image when a person opens the email. Apple Mail
 * Privacy Protection says `Mozilla/5.0` and nothing else, and may load it before. Their opens count (decision 032); in figures they have
 * names of their own, because the program and device of the person are unknown.
 */
export const mailProxies: readonly { name: string; userAgent: RegExp }[] = [
  { name: 'Gmail image proxy', userAgent: /GoogleImageProxy/i },
  { name: 'Yahoo Mail proxy', userAgent: /YahooMailProxy/i },
  { name: 'Apple privacy proxy', userAgent: /^Mozilla\/5\.0$/ },
];

/** The name of prefetchers, scanners and crawlers, together. */
export const machine = 'Machine';

/** Kinds of devices that people use. */
export const personalDevices = ['desktop', 'mobile', 'tablet', 'other'] as const;
