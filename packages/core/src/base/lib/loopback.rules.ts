/** Whether a host of a URL, without brackets, always means this machine: `localhost`, 127.0.0.0/8 and `::1` (RFC 6761, 6.3; RFC 1122, 3.2.1.3). */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
