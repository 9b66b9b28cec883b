/** What has the keys at the moment, and what the person was told last. */

import type { Desk } from '../model/desk.ts';
import type { Citing } from '../ui/citing.ts';
import type { Form } from '../ui/forms/form.ts';
import type { Picker } from '../ui/picker.ts';

/** What has the keys. A gate has them where nothing else is open. */
export type Mode =
  | { readonly kind: 'browse' }
  | { readonly kind: 'search'; readonly typed: string }
  | { readonly kind: 'palette'; readonly picker: Picker }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'citations'; readonly citing: Citing }
  | { readonly kind: 'form'; readonly form: Form }
  | { readonly kind: 'quit' };

export interface Notice {
  readonly text: string;
  readonly bad: boolean;
  readonly at: number;
  /** When the run has gone on to here, it is no news any more. */
  readonly until?: (desk: Desk) => boolean;
}
