import { misfitOf } from '../../base/db/index.ts';
import { findProcesses, type LivingProcess } from '../../people/installation/index.ts';
import type { Examined } from './examined.ts';
import { checksOf, failure, type Outcome, ok, warning } from './finding.ts';
import { counted, listed } from './quantities.ts';

const nameOf = ({ kind, host }: LivingProcess): string => `${kind} on ${host}`;

const living = async ({ database }: Examined): Promise<LivingProcess[]> =>
  findProcesses(await database.ofThisVersion());

async function processes(examined: Examined): Promise<Outcome[]> {
  const all = await living(examined);
  const { stored } = await examined.database.schema();
  const unfit = all.flatMap((one) => {
    const misfit = misfitOf(one.version, stored);
    return misfit === null ? [] : [{ name: nameOf(one), misfit }];
  });
  if (unfit.length > 0)
    return unfit.map(({ name, misfit }) =>
      failure({
        subject: name,
        found: misfit,
        cause: 'It ends within 15 seconds of noticing. Until then its statements may fail.',
        action: 'Start it again with the files of the later version.',
      }),
    );
  const versions = [...new Set(all.map(({ version }) => version))];
  if (versions.length <= 1)
    return [
      ok(
        'processes',
        all.length === 0
          ? 'none runs'
          : `${counted(all.length, 'process', 'processes')} of version ${versions.join()}`,
      ),
    ];
  const each = versions.map(
    (version) => `${version} (${listed(all.filter((one) => one.version === version).map(nameOf), 3)})`,
  );
  return [
    warning({
      subject: 'processes',
      found: `several versions run: ${each.join(', ')}`,
      cause:
        'An upgrade is under way, or some processes were left out of it. Until all have the later version, what it adds does not work everywhere.',
      action: 'Restart the processes of the earlier version with the files of the later one.',
    }),
  ];
}

async function clocks(examined: Examined): Promise<Outcome[]> {
  const { clockFailureMs, clockWarningMs } = examined.limits;
  const all = await living(examined);
  const apart = all.filter(({ apartMs }) => apartMs !== null && Math.abs(apartMs) > clockWarningMs);
  if (apart.length === 0) return [ok('clocks', 'those of all processes agree with that of the database')];
  return apart.map((process) => {
    const ms = process.apartMs ?? 0;
    return (Math.abs(ms) > clockFailureMs ? failure : warning)({
      subject: nameOf(process),
      found: `its clock is ${(Math.abs(ms) / 1_000).toFixed(3)} s ${ms < 0 ? 'ahead of' : 'behind'} that of the database`,
      cause:
        'Leases, limits and links have times of both clocks: email may be attempted late, and links expire early.',
      action: `Have ${process.host} and the machine of the database synchronize their clocks (chrony, systemd-timesyncd).`,
    });
  });
}

export const versionsChecks = checksOf<Examined>('versions', ['DATABASE_URL'])({
  processes: { reference: 'Versions: processes', run: processes },
  clocks: { reference: 'Versions: clocks', run: clocks },
});
