import { Postrider, ValidationError } from '@postrider/sdk';

/**
 * A Next.js route handler, as `app/api/signup/route.ts`: `export const POST = signupRoute(postrider)`. It runs on the Node
 * and the edge runtime. The idempotency key makes a second click on the button harmless.
 */
export const signupRoute =
  (postrider: Postrider, from: string) =>
  async (request: Request): Promise<Response> => {
    const form = await request.formData();
    const email = String(form.get('email') ?? '');
    try {
      const welcome = { to: email, from, subject: 'Welcome', body: '<p>Good to have you here.</p>' };
      await postrider.track({ email, event: 'signed_up' });
      await postrider.send(welcome, { idempotencyKey: `welcome-${form.get('submission')}` });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return Response.json({ errors: error.errors }, { status: 422 });
    }
    return Response.json({ ok: true });
  };

/** Made once per process, from the environment of the server: the key never reaches the browser. */
export const postriderOf = (env: Record<string, string | undefined>): Postrider =>
  new Postrider({ apiKey: env['POSTRIDER_KEY'] ?? '', baseUrl: env['POSTRIDER_URL'] ?? '' });
