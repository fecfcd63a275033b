/**
 * Mailbox providers by the registered domains of their mail servers: Google Workspace and Microsoft 365 serve the domains of
 * customers, and filters in front of a mailbox are what takes the mail.
 */
const providersByHost: Readonly<Record<string, readonly string[]>> = {
  google: ['google.com', 'googlemail.com'],
  microsoft: ['outlook.com', 'mx.microsoft', 'hotmail.com', 'outlook.de', 'office365.us'],
  yahoo: ['yahoodns.net'],
  apple: ['icloud.com'],
  proton: ['protonmail.ch', 'proton.ch'],
  zoho: ['zoho.com', 'zoho.eu', 'zoho.in', 'zoho.com.au', 'zoho.com.cn', 'zohomail.com'],
  fastmail: ['messagingengine.com'],
  gmx: ['gmx.net', 'gmx.com', 'web.de', 'mail.com'],
  telekom: ['t-online.de', 'tsystems.net'],
  freenet: ['freenet.de'],
  mailru: ['mail.ru'],
  yandex: ['yandex.net', 'yandex.ru'],
  netease: ['netease.com', '163.com', 'mxmail.netease.com'],
  tencent: ['qq.com'],
  aliyun: ['aliyun.com', 'mxhichina.com'],
  naver: ['naver.com', 'worksmobile.com'],
  ionos: ['ionos.com', 'ionos.de', 'kundenserver.de', '1and1.com', 'perfora.net'],
  ovh: ['ovh.net'],
  gandi: ['gandi.net'],
  infomaniak: ['infomaniak.ch'],
  strato: ['rzone.de'],
  hostinger: ['hostinger.com', 'titan.email'],
  godaddy: ['secureserver.net'],
  rackspace: ['emailsrvr.com'],
  namecheap: ['privateemail.com', 'registrar-servers.com'],
  amazon: ['awsapps.com', 'amazonaws.com'],
  mailbox_org: ['mailbox.org'],
  posteo: ['posteo.de'],
  migadu: ['migadu.com'],
  hey: ['hey.com'],
  seznam: ['seznam.cz'],
  orange: ['orange.fr'],
  free: ['free.fr'],
  laposte: ['laposte.net'],
  comcast: ['comcast.net'],
  proofpoint: ['pphosted.com', 'ppe-hosted.com', 'gpphosted.com'],
  mimecast: ['mimecast.com', 'mimecast.co.za', 'mimecast-offshore.com'],
  barracuda: ['barracudanetworks.com'],
  cisco: ['iphmx.com'],
  cloudflare: ['cloudflare.net'],
};

const known = new Map(
  Object.entries(providersByHost).flatMap(([provider, hosts]) => hosts.map((host) => [host, provider])),
);

/** The provider whose mail servers these are, by the most preferred one that is known; `other` if none is. */
export function providerOf(records: readonly { exchange: string; priority: number }[]): string {
  for (const { exchange } of records.toSorted((one, other) => one.priority - other.priority)) {
    const provider = providerOfHost(exchange.toLowerCase().replace(/\.$/, ''));
    if (provider !== undefined) return provider;
  }
  return 'other';
}

/** By the host itself or any domain above it: `aspmx.l.google.com` is below `google.com`, `notgoogle.com` is not. */
function providerOfHost(host: string): string | undefined {
  const labels = host.split('.');
  for (let from = 0; from < labels.length - 1; from += 1) {
    const provider = known.get(labels.slice(from).join('.'));
    if (provider !== undefined) return provider;
  }
  return undefined;
}
