/** A planted leak for a soak: each hundredth request of an HTTP server leaves a file open. */
import { subscribe } from 'node:diagnostics_channel';
import { openSync } from 'node:fs';

let count = 0;
subscribe('http.server.request.start', () => {
  count += 1;
  if (count % 100 === 0) openSync('/dev/null', 'r');
});
