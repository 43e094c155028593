// A quiet double tone and a short vibration for what is new. Off until the arbiter switches it on, on this device alone.

import { say, text } from "./dom.js";

const KEY = "jadoube-sound";

export class Sound {
  constructor(button) {
    this.button = button;
    this.on = localStorage.getItem(KEY) === "on";
    button.addEventListener("click", () => {
      this.on = !this.on;
      localStorage.setItem(KEY, this.on ? "on" : "off");
      this.show();
      if (this.on) this.play();
    });
    this.show();
  }

  show() {
    this.button.setAttribute("aria-pressed", String(this.on));
    text(this.button, say(this.on ? "sound-on" : "sound-off"));
  }

  play() {
    if (!this.on) return;
    navigator.vibrate?.([120, 80, 120]);
    this.context ??= new AudioContext();
    const start = this.context.currentTime;
    for (const [i, pitch] of [659, 880].entries()) {
      const tone = this.context.createOscillator();
      const loudness = this.context.createGain();
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.0001, start + i * 0.18);
      loudness.gain.exponentialRampToValueAtTime(0.12, start + i * 0.18 + 0.02);
      loudness.gain.exponentialRampToValueAtTime(0.0001, start + i * 0.18 + 0.4);
      tone.connect(loudness).connect(this.context.destination);
      tone.start(start + i * 0.18);
      tone.stop(start + i * 0.18 + 0.45);
    }
  }
}
