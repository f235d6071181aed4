import * as vscode from 'vscode';

export interface PickOptions<Item extends vscode.QuickPickItem> {
  readonly items: readonly Item[];
  readonly title: string;
  readonly placeholder: string;
  readonly step?: { readonly at: number; readonly of: number } | undefined;
  /** Shows a back button; `pick` then may answer "back". */
  readonly back?: boolean;
  readonly matchOnDetail?: boolean;
  /** A button that changes what is listed. */
  readonly toggle?:
    | {
        readonly button: () => vscode.QuickInputButton;
        readonly press: () => Promise<readonly Item[]>;
      }
    | undefined;
  /** Items for which this is false stay listed and do nothing when chosen. */
  readonly isChoice?: (item: Item) => boolean;
}

/** A quick pick with a way back. Undefined when it was closed. */
export async function pick<Item extends vscode.QuickPickItem>(
  options: PickOptions<Item>,
): Promise<Item | 'back' | undefined> {
  const input = vscode.window.createQuickPick<Item>();
  input.title = options.title;
  input.placeholder = options.placeholder;
  input.step = options.step?.at;
  input.totalSteps = options.step?.of;
  input.items = options.items;
  input.matchOnDescription = true;
  input.matchOnDetail = options.matchOnDetail ?? true;
  const { toggle } = options;
  const showButtons = (): void => {
    const back = options.back ? [vscode.QuickInputButtons.Back] : [];
    input.buttons = [...back, ...(toggle ? [toggle.button()] : [])];
  };
  const press = async (): Promise<void> => {
    input.items = (await toggle?.press()) ?? input.items;
    showButtons();
  };
  showButtons();
  try {
    return await new Promise((resolve) => {
      input.onDidAccept(() => {
        const [item] = input.selectedItems;
        if (item && (options.isChoice?.(item) ?? true)) resolve(item);
      });
      input.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) resolve('back');
        else void press();
      });
      input.onDidHide(() => resolve(undefined));
      input.show();
    });
  } finally {
    input.dispose();
  }
}

export const separator = (label: string): vscode.QuickPickItem => ({
  label,
  kind: vscode.QuickPickItemKind.Separator,
});
