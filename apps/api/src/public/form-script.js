// The script of sign-up forms on pages of customers (behaviour B12.6). It sends a form whose `action` is the address of this script without `.js`, and
// shows what becomes of it in place. It sets no cookie, and learns nothing of the browser. Texts are attributes of the form: data-received, data-failed.
(() => {
  const script = document.currentScript;
  if (!script) return;
  const address = script.src.replace(/\.js(\?.*)?$/, '');
  // A tenth of a second more than the least age of a token.
  const leastAge = 2100;
  let challenge = null;
  let since = 0;

  // SHA-256 (FIPS 180-4), without the promises of Web Crypto, which pages without https do not have.
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const bitsOf = (x) => ((x - Math.floor(x)) * 4294967296) | 0;
  const K = primes.map((p) => bitsOf(Math.cbrt(p)));
  const H = primes.slice(0, 8).map((p) => bitsOf(Math.sqrt(p)));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  const sha256 = (bytes) => {
    const length = bytes.length;
    const words = new Int32Array((((length + 8) >> 6) + 1) * 16);
    for (let i = 0; i < length; i++) words[i >> 2] |= bytes[i] << (24 - (i % 4) * 8);
    words[length >> 2] |= 0x80 << (24 - (length % 4) * 8);
    words[words.length - 1] = length * 8;
    const state = H.slice();
    const w = new Int32Array(64);
    for (let at = 0; at < words.length; at += 16) {
      for (let i = 0; i < 64; i++) {
        if (i < 16) {
          w[i] = words[at + i];
          continue;
        }
        const a = w[i - 15];
        const b = w[i - 2];
        w[i] =
          (w[i - 16] +
            (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) +
            w[i - 7] +
            (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))) |
          0;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const t = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
        const u = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g;
        g = f;
        f = e;
        e = (d + t) | 0;
        d = c;
        c = b;
        b = a;
        a = (t + u) | 0;
      }
      [a, b, c, d, e, f, g, h].forEach((x, i) => {
        state[i] = (state[i] + x) | 0;
      });
    }
    return state;
  };

  const later = (ms) => new Promise((done) => setTimeout(done, ms));

  const solve = async ({ salt, bits }, email) => {
    const encoder = new TextEncoder();
    for (let n = 0; ; n++) {
      if (sha256(encoder.encode(`${salt}:${email}:${n}`))[0] >>> (32 - bits) === 0) return String(n);
      // The page stays usable meanwhile.
      if (n % 2000 === 1999) await later(0);
    }
  };

  const getChallenge = async () => {
    const reply = await fetch(`${address}/challenge`);
    challenge = reply.ok ? await reply.json() : null;
    since = Date.now();
  };

  const bodyOf = (form) => {
    const body = { fields: {}, topics: [], page: location.href.slice(0, 2000) };
    const language = document.documentElement.lang.slice(0, 2);
    if (language) body.language = language;
    new FormData(form).forEach((value, name) => {
      if (typeof value !== 'string') return;
      if (name === 'topics') body.topics.push(value);
      else if (name.startsWith('fields.')) body.fields[name.slice(7)] = value;
      else if (['email', 'language', 'website'].includes(name)) body[name] = value;
    });
    return body;
  };

  const post = async (body) => {
    if (!challenge) await getChallenge();
    if (challenge) {
      body.token = challenge.token;
      if (challenge.work) body.work = await solve(challenge.work, body.email);
      await later(Math.max(0, leastAge - (Date.now() - since)));
    }
    return fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  };

  const say = (form, text, isError) => {
    let note = form.querySelector('[role=status]');
    if (!note) {
      note = document.createElement('p');
      note.setAttribute('role', 'status');
      form.append(note);
    }
    if (!isError) for (const each of [...form.children]) if (each !== note) each.hidden = true;
    note.textContent = text;
  };

  const send = async (form) => {
    const failed = form.dataset.failed || 'This did not work. Please try again later.';
    const tell = (name, detail) =>
      form.dispatchEvent(new CustomEvent(`postrider:${name}`, { detail, bubbles: true }));
    try {
      const body = bodyOf(form);
      let reply = await post(body);
      let answer = await reply.json();
      if (reply.status === 422 && answer.error.errors.some(({ field }) => field === 'work')) {
        challenge = null;
        reply = await post(body);
        answer = await reply.json();
      }
      if (reply.ok) {
        say(form, form.dataset.received || 'Look in your inbox: we have sent you a link to confirm.');
        return tell('received', {});
      }
      const errors = answer.error?.errors || [];
      say(form, errors.length ? errors.map(({ message }) => message).join(' ') : failed, true);
      tell('failed', { errors });
    } catch {
      say(form, failed, true);
      tell('failed', { errors: [] });
    }
  };

  document.addEventListener('focusin', ({ target }) => {
    // The time that a person takes to fill it in begins here.
    const { form } = target;
    if (form && form.action === address && !challenge) getChallenge().catch(() => {});
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.action !== address) return;
    event.preventDefault();
    if (form.dataset.sending) return;
    form.dataset.sending = '1';
    void send(form).finally(() => delete form.dataset.sending);
  });
})();
