import { connect } from 'node:net';
import { afterAll, beforeAll, it } from 'vitest';
import { startApp, type TestApp } from './harness.ts';
let test: TestApp; let url: URL;
beforeAll(async () => { test = await startApp(); url = new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })); });
afterAll(() => test.close());
it('x', async () => {
  const t0 = Date.now(); const seen: string[] = [];
  for (let n = 0; n < 20; n++) {
    const s = connect(Number(url.port), url.hostname);
    s.on('error', (e) => seen.push(`${n} err ${e}`)); s.on('data', (d) => seen.push(`${n} ${Date.now() - t0} ${String(d).slice(0, 80)}`)); s.on('close', () => seen.push(`${n} ${Date.now() - t0} closed`));
    s.write(`POST /uploads/image HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${test.project.secretKey}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000000\r\n\r\n--x\r\ncontent-disposition: form-data; name="image"; filename="a.gif"\r\ncontent-type: image/gif\r\n\r\nGIF89a`);
    const i = setInterval(() => s.writable && s.write(Buffer.alloc(1000, 'a')), 1000); s.on('close', () => clearInterval(i));
  }
  await new Promise((r) => setTimeout(r, 24000));
  console.log(seen.join('\n'));
}, 60000);
