process.on('exit', () => process.stderr.write(`${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB peak RSS\n`));
