/** Times as people read them: the day once, then the hours. */
export class Clock {
  private readonly day: Intl.DateTimeFormat;
  private readonly hours: Intl.DateTimeFormat;
  private lastDay: string | undefined;

  constructor(timeZone: string | undefined) {
    // Swedish dates are written year first, as in ISO 8601.
    this.day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });
    this.hours = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short', timeZone });
  }

  full(at: number): string {
    return `${this.day.format(at)} ${this.hours.format(at)}`;
  }

  /** Without the day when it is that of the call before. */
  short(at: number): string {
    const day = this.day.format(at);
    const isNew = day !== this.lastDay;
    this.lastDay = day;
    return isNew ? this.full(at) : this.hours.format(at);
  }
}
