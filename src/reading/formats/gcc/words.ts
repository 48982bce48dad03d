/** What compilers of the GNU message format print between location and message, in the languages of gcc's catalogues. */
export type Level = 'error' | 'fatal error' | 'warning' | 'note' | 'internal compiler error';

const WORDS: Record<Level, string[]> = {
  error: [
    'error, Error, Fehler, erreur, erro, エラー, 错误, 錯誤, ошибка, помилка, fejl, virhe, fout, fel, greška, грешка, σφάλμα, hata, lỗi',
  ],
  'fatal error': [
    'fatal error, Fatal error, schwerwiegender Fehler, erreur fatale, error fatal, erro fatal, 致命的エラー, 致命错误, 嚴重錯誤',
    'фатальная ошибка, критична помилка, fatal fejl, vakava virhe, fatale fout, ödesdigert fel, fatalna greška, кобна грешка',
    'μοιραίο σφάλμα, ölümcül hata, lỗi nghiêm trọng',
  ],
  warning: [
    'warning, Warning, WARNING, Warnung, attention, aviso, 警告, предупреждение, попередження, advarsel, varoitus, let op, varning',
    'upozorenje, упозорење, προειδοποίηση, UYARI, peringatan, cảnh báo, remark',
  ],
  note: [
    'note, Note, Anmerkung, nota, 備考, 附注, 附註, замечание, зауваження, bemærk, huom, anm, napomena, напомена, σημείωση, bilgi',
    'catatan, ghi chú',
  ],
  'internal compiler error': [
    'internal compiler error, interner Compiler-Fehler, erreur interne du compilateur, error interno del compilador',
    'コンパイラ内部エラー, 编译器内部错误, 編譯器內部錯誤, внутренняя ошибка компилятора',
  ],
};

const LEVELS = new Map<string, Level>();
for (const [level, lists] of Object.entries(WORDS) as [Level, string[]][]) {
  for (const word of lists.join(', ').split(', ')) LEVELS.set(word, level);
}
LEVELS.set('sorry, unimplemented', 'error');

export const levelOf = (word: string): Level | undefined => LEVELS.get(word.trim());

/** One literal at least of every line with such a word. Warnings of rarer languages are not looked for. */
export const WORD_HINTS = [
  ...['error:', 'error :', 'error C', 'error at (', 'error fatal', 'error interno'],
  ...['warning:', 'warning :', 'warning C', 'warning at ('],
  ...['unimplemented', 'Fehler', 'Warnung', 'erreur', 'attention', 'aviso'],
  ...[
    'エラー',
    '错误',
    '錯誤',
    '警告',
    'ошибка',
    'предупреждение',
    'помилка',
    'virhe',
    'greška',
    'грешка',
    'σφάλμα',
    'lỗi',
  ],
];
