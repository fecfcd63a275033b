import { audienceBench } from './audience/audience.bench.ts';
import { campaignBench } from './campaign/campaign.bench.ts';
import { floorBench } from './campaign/floor.bench.ts';
import { capacityBench } from './capacity/capacity.bench.ts';
import { consentBench } from './consent/consent.bench.ts';
import { consentHistoryBench } from './consent/consent-history.bench.ts';
import { costsBench } from './costs/costs.bench.ts';
import { crowdBench } from './crowd/crowd.bench.ts';
import { dashboardBench } from './dashboard/dashboard.bench.ts';
import { doorsBench } from './doors/doors.bench.ts';
import { explainBench } from './explain/explain.bench.ts';
import { formsBench } from './forms/forms.bench.ts';
import { freezeBench } from './freeze/freeze.bench.ts';
import { graphqlBench } from './graphql/graphql.bench.ts';
import { growthBench } from './growth/growth.bench.ts';
import type { Bench } from './harness/bench.ts';
import { importBench } from './import/import.bench.ts';
import { insightBench } from './insight/insight.bench.ts';
import { largeBench } from './large/large.bench.ts';
import { latencyBench } from './latency/latency.bench.ts';
import { loginBench } from './login/login.bench.ts';
import { memoryBench } from './memory/memory.bench.ts';
import { projectsBench } from './projects/projects.bench.ts';
import { restBench } from './rest/rest.bench.ts';
import { roomsBench } from './rooms/rooms.bench.ts';
import { scaleBench } from './scale/scale.bench.ts';
import { sendBench } from './send/send.bench.ts';
import { simulateBench } from './simulate/simulate.bench.ts';
import { sinkBench } from './sink/sink.bench.ts';
import { sweepBench } from './sweep/sweep.bench.ts';
import { trackingBench } from './tracking/tracking.bench.ts';
import { volumeBench } from './volume/volume.bench.ts';
import { wheelBench } from './wheel/wheel.bench.ts';
import { workflowsBench } from './workflows/workflows.bench.ts';

/** All benches. To add one, create its file and add a line here. */
export const benches: readonly Bench[] = [
  sinkBench,
  sendBench,
  formsBench,
  doorsBench,
  campaignBench,
  floorBench,
  scaleBench,
  largeBench,
  latencyBench,
  projectsBench,
  importBench,
  audienceBench,
  workflowsBench,
  crowdBench,
  simulateBench,
  trackingBench,
  graphqlBench,
  loginBench,
  insightBench,
  roomsBench,
  explainBench,
  volumeBench,
  consentBench,
  freezeBench,
  restBench,
  costsBench,
  growthBench,
  dashboardBench,
  wheelBench,
  consentHistoryBench,
  sweepBench,
  memoryBench,
  capacityBench,
];
