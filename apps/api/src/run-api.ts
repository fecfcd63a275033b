import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '@postrider/core/base/kernel';
import type { Share } from '@postrider/core/base/lib';
import { requestLogOf } from '@postrider/core/insight/requests';
import { submissionsProcessed } from '@postrider/core/mail/forms';
import {
  countUnstoredInteractions,
  createClickJudge,
  interactionsStored,
} from '@postrider/core/mail/tracking';
import { settleLocalDomains } from '@postrider/core/people/domains';
import { findSetupLink, sendPendingMail } from '@postrider/core/people/users';
import { createApp } from './app.ts';
import { drain } from './drain.ts';
import { announceStop } from './stopping.ts';
import { startConfiguredSubmission } from './submission/configured-submission.ts';

/** The api of a process, whichever else runs in it. */
export interface RunningApi {
  listen(): Promise<void>;
  /**
   * Answers what is on its way and stores what requests have left. The services stay open.
   *
   * @param drainSeconds for which it serves on while load balancers learn that no request is to come
   */
  stop(drainSeconds: number): Promise<void>;
  /** interactions that have not been stored */
  unstored(): number;
}

/**
 * Has everything ready that serves requests, on a database that is migrated.
 *
 * @param share of this process in limits that hold for the installation
 */
export async function prepareApi(services: Services, share: Share): Promise<RunningApi> {
  const { config, log } = services;
  await settleLocalDomains(services);
  const { reports, title } = config.mailProvider;
  if (reports.by === 'notifications' && !config.reportsReceived)
    log.warn(
      `${reports.setting} is not set: no notification of ${title} is accepted, so bounces and complaints are not received`,
    );
  const app = createApp(services);
  const judge = createClickJudge(services);
  judge.start();
  const submission = await startConfiguredSubmission(services, share);
  return {
    async listen() {
      const setupLink = await findSetupLink(services);
      const address = await app.listen({ port: config.PORT, host: config.HOST });
      log.info({ address }, 'listening');
      if (setupLink !== null) log.info(`To create the first account open ${setupLink}`);
      // Email that a process left behind when it ended.
      await sendPendingMail(services);
    },
    async stop(drainSeconds) {
      announceStop();
      // Load balancers learn by `/health/ready` that no request is to come, and those on the way are still answered.
      await sleep(drainSeconds * 1_000);
      await Promise.all([drain(app, services), submission?.stop()]);
      await interactionsStored(services);
      await submissionsProcessed(services);
      await requestLogOf(services).settled();
      await judge.stop();
    },
    unstored: () => countUnstoredInteractions(services),
  };
}
