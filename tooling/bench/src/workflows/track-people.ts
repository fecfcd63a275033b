import { openHttpConnection } from '@postrider/harness/http-connection';
import type { TestProject } from '@postrider/harness/project.store';
import { signupOf } from './onboarding.ts';

const connections = 10;

export interface TrackingTimes {
  /** before the first request, in milliseconds since the epoch */
  from: number;
  /** after the last reply */
  until: number;
}

/** Tracks one event for each of these new contacts, as fast as the API replies. @throws Error on a reply other than 200 */
export async function trackPeople(
  api: string,
  { publicKey }: TestProject,
  emails: readonly string[],
): Promise<TrackingTimes> {
  const lanes = await Promise.all(
    Array.from({ length: connections }, () => openHttpConnection(api, `Bearer ${publicKey}`)),
  );
  const waiting = emails.values();
  const from = Date.now();
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        for (const email of waiting) {
          const { status, body } = await lane.post('/v1/track', signupOf(email));
          if (status !== 200) throw new Error(`/v1/track answered ${status}: ${body.slice(0, 300)}`);
        }
      }),
    );
  } finally {
    for (const lane of lanes) lane.close();
  }
  return { from, until: Date.now() };
}
