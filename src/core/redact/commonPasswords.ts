/** Words that lists of leaked passwords begin with; none is the default of a program. */
const common: ReadonlySet<string> = new Set(
  `sunshine iloveyou letmein princess dragon monkey football baseball basketball superman batman trustno
  starwars whatever freedom hunter tiger shadow michael jennifer jordan ashley michelle charlie andrew daniel
  jessica pepper ginger chocolate butterfly flower lovely loveme babygirl qwerty qwertyuiop asdfgh
  asdfghjkl zxcvbnm zxcvbn mustang corvette ferrari harley yankees liverpool chelsea arsenal barcelona
   cheese banana orange purple summer winter spring autumn matrix pokemon
  naruto minecraft samsung hannah robert thomas george killer soccer hockey dragonfly raspberry
  snowball unicorn rainbow diamond phoenix maverick merlin wizard falcon eagle panther cowboys lakers
  passion secretly nothing blessed jesus angel angels bailey maggie buster tigger snoopy scooter peanut
  schatz hallo fussball bonjour soleil doudou azerty chouchou loulou estrella teamo amor`.split(
    /\s+/,
  ),
);

/** Whether it is one of the words that people take for a password most often; as a value it is one. */
export const isCommonPassword = (value: string): boolean =>
  value.length >= 5 && common.has(value.toLowerCase());
