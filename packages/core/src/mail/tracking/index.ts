export { isPrefetch } from './bots.rules.ts';
export { changePreferences } from './change-preferences.ts';
export { ClickJudge, judgeClicks } from './click-judge.ts';
export { disownAccount } from './disown-account.ts';
export { getClaimedAccount } from './get-claimed-account.ts';
export { getPreferences } from './get-preferences.ts';
export { recordClick } from './record-click.ts';
export { countUnstoredInteractions, interactionsStored, recordInteraction } from './record-interaction.ts';
export { recordOpen } from './record-open.ts';
