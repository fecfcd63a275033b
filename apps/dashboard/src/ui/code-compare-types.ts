export interface CodeCompareProps {
  /** The names of the two texts. */
  labels: [left: string, right: string];
  left: string;
  right: string;
}
