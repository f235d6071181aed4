import type { Words } from '../../core/apply/words.js';
import type { SessionField } from '../../core/handoff.js';

export function fieldName(field: SessionField, l10n: Words): string {
  switch (field) {
    case 'title':
      return l10n.t('Title');
    case 'goal':
      return l10n.t('Goal');
    case 'status':
      return l10n.t('Status');
    case 'tags':
      return l10n.t('Tags');
  }
}
