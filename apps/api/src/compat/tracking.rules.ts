/** Whether a message is tracked: if opens or clicks are asked for; not if both are refused; else as the project is set (undefined). */
export function trackingOf(opens: boolean | null, clicks: boolean | null): boolean | undefined {
  if (opens === true || clicks === true) return true;
  return opens === false && clicks === false ? false : undefined;
}
