// What of the table's speech is new, and saying it.  The rule is that of `news` in companion/voice.py, for every page by itself:
// whoever has just come is told nothing old, and what is no longer true is not said to its end.

export function news(before, now) {
  if (!before) return [];
  const known = new Set(before.lines.map(key));
  return now.lines.filter((line) => !known.has(key(line)) && (line.topic !== "move" || now.moves >= before.moves));
}

function key(line) {
  return `${line.topic}|${line.text}`;
}

export class Voice {
  constructor(language) {
    this.language = language;
    this.volume = 1;
    this.waiting = [];
    this.saying = null;
  }

  static there() {
    return "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
  }

  // Whether a voice of the page's language is on this device; null while the browser has not said.
  speaks() {
    const voices = speechSynthesis.getVoices();
    return voices.length ? voices.some((voice) => voice.lang.slice(0, 2).toLowerCase() === this.language) : null;
  }

  // Drops what is not among `lines` any more, in the middle of a word if it must.
  keep(lines) {
    const held = new Set(lines.map(key));
    this.waiting = this.waiting.filter((line) => held.has(key(line)));
    if (this.saying && !held.has(key(this.saying))) {
      this.saying = null;
      speechSynthesis.cancel();
      this.next();
    }
  }

  say(lines) {
    this.waiting.push(...lines);
    this.next();
  }

  hush() {
    this.waiting = [];
    this.saying = null;
    speechSynthesis.cancel();
  }

  next() {
    if (this.saying || !this.waiting.length) return;
    const line = this.waiting.shift();
    const words = new SpeechSynthesisUtterance(`${line.text} ${line.more}`.trim());
    words.lang = this.language;
    words.volume = this.volume;
    const over = () => {
      if (this.saying !== line) return; // cancelled; another one may be under way
      this.saying = null;
      this.next();
    };
    words.onend = over;
    words.onerror = over;
    this.saying = line;
    speechSynthesis.speak(words);
  }
}
